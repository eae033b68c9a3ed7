// Declares the types of imports that are not scripts, as the bundler resolves them.

/** The address of a style sheet that is loaded later, imported with the type `file`. */
declare module '*.css' {
  const address: string
  export default address
}

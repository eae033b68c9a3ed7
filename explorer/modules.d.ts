// What the bundler makes of files that are not scripts.

/** The address of a sheet that is loaded later, of one that is imported with the type `file`. */
declare module '*.css' {
  const address: string
  export default address
}

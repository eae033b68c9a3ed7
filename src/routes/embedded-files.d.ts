// Types of the files that the documentation imports as modules; the imports make them part of a compiled program.

declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string
  export default path
}

declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string
  export default path
}

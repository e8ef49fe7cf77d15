/** The text of a style sheet, which esbuild bundles. */
declare module '*.css' {
  const text: string
  export default text
}

/** The address of a file of the build: see build/land-files.ts. */
declare module 'virtual:land-110m' {
  const url: string
  export default url
}

declare module 'virtual:land-50m' {
  const url: string
  export default url
}

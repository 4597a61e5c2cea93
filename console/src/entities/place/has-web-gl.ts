/** Whether this browser can draw the map; found out once. */
export function hasWebGl(): boolean {
  hasWebGl.known ??= openContext()
  return hasWebGl.known
}

hasWebGl.known = undefined as boolean | undefined

function openContext(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  // A page may hold only so many of them.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

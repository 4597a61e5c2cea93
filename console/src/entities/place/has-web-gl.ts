let known: boolean | undefined

/** Whether this browser can draw the map. */
export function hasWebGl(): boolean {
  known ??= openContext()
  return known
}

function openContext(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  // A page may hold only so many of them.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

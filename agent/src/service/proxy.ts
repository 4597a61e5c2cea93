/**
 * The proxy that this computer's settings name for an address, without user and password; null without one. The agent
 * itself dials directly: where only a proxy leads out, its name says why nothing is reached.
 */
export function proxyOf(address: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const { hostname, protocol } = new URL(address)
  const names =
    protocol === 'wss:' || protocol === 'https:'
      ? ['HTTPS_PROXY', 'https_proxy']
      : ['HTTP_PROXY', 'http_proxy']
  const text = [...names, 'ALL_PROXY', 'all_proxy'].map((name) => env[name]).find(Boolean)
  const exceptions = (env.NO_PROXY ?? env.no_proxy ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^\*?\./, ''))
  const isException = exceptions.some(
    (one) => one === '*' || (one !== '' && (hostname === one || hostname.endsWith(`.${one}`))),
  )
  if (text === undefined || isException) return null
  try {
    const { protocol: scheme, host } = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`)
    return `${scheme}//${host}`
  } catch {
    return null
  }
}

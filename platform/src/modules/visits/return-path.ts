const wishedPathMax = 2_048

/** A path of the same host, or `/`: `//evil`, `/\evil` and the like would lead a browser elsewhere. */
export function returnPath(wished: string | undefined): string {
  if (!wished || wished.length > wishedPathMax) return '/'
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wished) || wished.includes('\\')) return '/'
  const url = URL.parse(wished, 'http://visit.invalid')
  if (url?.host !== 'visit.invalid' || url.pathname.startsWith('//')) return '/'
  return url.pathname.startsWith('/.busbar/') ? '/' : `${url.pathname}${url.search}`
}

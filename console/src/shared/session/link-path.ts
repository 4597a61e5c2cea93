/** The pages that links in mails open. The token in the address says enough: they need no session. */
const linkPath = /^\/(contact|unsubscribe|alarm\/link)\/([^/]+)\/?$/

export type LinkPage = 'contact' | 'unsubscribe' | 'alarm/link'

/** The page and the token of such an address; undefined for any other address. */
export function parseLinkPath(pathname: string): { page: LinkPage; token: string } | undefined {
  const [, page, token] = linkPath.exec(pathname) ?? []
  return page && token ? { page: page as LinkPage, token } : undefined
}

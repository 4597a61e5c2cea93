import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name; rejects where it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Milliseconds for an answer of a name server, and how often it is asked. */
const patience = { timeout: 3_000, tries: 2 } as const

/**
 * Asks name servers for the names that people type: the system's own look-up takes one of few threads until it is
 * answered, and a name server of somebody's could hold them all. Names of this network are the system's: those
 * without a dot, and those that the operator allows, which may be in its file of hosts.
 */
export function createResolve(
  isAllowedName: (name: string) => boolean,
  servers = new Resolver(patience),
): Resolve {
  return async (name) => {
    if (!name.includes('.') || isAllowedName(name))
      return (await lookup(name, { all: true })).map(({ address }) => address)
    const [v4, v6] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

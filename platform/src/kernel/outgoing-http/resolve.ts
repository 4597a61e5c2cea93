import { lookup, NOTFOUND, Resolver } from 'node:dns/promises'
import type { Wish } from './address-policy.ts'

/** All addresses of a name; rejects where it has none. */
export type Resolve = (name: string, wish: Wish) => Promise<readonly string[]>

/** Milliseconds for an answer of a name server, and how often it is asked. */
const patience = { timeout: 3_000, tries: 2 } as const

/**
 * Asks name servers for the names that people type: the system's own look-up takes one of few threads until it is
 * answered, and a name server of somebody's could hold them all. The system is asked for the names that the operator
 * allows this space, which may be in its file of hosts. Other names without a dot are names of this network, which
 * people learn nothing about.
 */
export function createResolve(
  isAllowedName: (wish: Wish) => boolean,
  servers = new Resolver(patience),
): Resolve {
  return async (name, wish) => {
    if (isAllowedName(wish)) return (await lookup(name, { all: true })).map(({ address }) => address)
    if (!name.includes('.')) throw Object.assign(new Error('a name of this network'), { code: NOTFOUND })
    const [v4, v6] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

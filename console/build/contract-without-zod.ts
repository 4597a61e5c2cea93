import { fileURLToPath } from 'node:url'
import * as contract from '@busbar/contract'
import type { Plugin } from 'vite'

const virtualId = '\0contract-without-zod'

/** Files of the contract that need no zod at run time; the console gets them as they are. */
const plainFiles = ['client', 'errors', 'limits', 'text'] as const

/**
 * Gives the console the contract without its schemas. A route is checked on the platform; the console's client
 * needs only its method and path, its types come from the source. That keeps zod (about 60 kB of script) out of
 * every page. Nouns keep their routes, reduced, and their plain constants.
 */
export function contractWithoutZod(): Plugin {
  return {
    name: 'contract-without-zod',
    enforce: 'pre',
    resolveId: (id) => (id === '@busbar/contract' ? virtualId : null),
    load: (id) => (id === virtualId ? contractSource() : null),
  }
}

/** The module the console gets instead of the contract. */
export function contractSource(): string {
  const plain = plainFiles.map((name) => {
    const path = fileURLToPath(import.meta.resolve(`@busbar/contract`)).replace(/index\.ts$/, `${name}.ts`)
    return `export * from ${JSON.stringify(path)}`
  })
  const nouns = Object.entries(contract).flatMap(([name, noun]) =>
    isNoun(noun) ? [`export const ${name} = ${JSON.stringify(reduceNoun(noun))}`] : [],
  )
  return [...plain, ...nouns].join('\n')
}

/** A noun's module: what holds routes. */
function isNoun(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isRoute)
}

function reduceNoun(noun: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(noun)
      .filter(([, value]) => typeof value !== 'function')
      .map(([name, value]) => [name, isRoute(value) ? reduceRoute(value) : value]),
  )
}

function isRoute(value: unknown): value is contract.Route {
  return typeof value === 'object' && value !== null && 'path' in value && 'who' in value
}

function reduceRoute({ method, path, bare }: contract.Route) {
  return { method, path, ...(bare ? { bare } : {}) }
}

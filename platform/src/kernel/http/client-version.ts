import { clientHeader, clientKinds, productVersion, type Text } from '@busbar/contract'
import type { FastifyRequest } from 'fastify'
import type { Brand } from './brand.ts'
import { Failure } from './failure.ts'

const shape = new RegExp(`^(${clientKinds.join('|')})/(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})`)

/**
 * Refuses a client that says a version below its brand's lowest; one that says none passes (rules/brands.md: versions of
 * clients).
 * @throws Failure CLIENT_TOO_OLD with the way to update
 */
export function refuseOldClient({ headers }: FastifyRequest, brand: Brand): void {
  const [, name = '', ...numbers] = shape.exec(String(headers[clientHeader] ?? '')) ?? []
  const client = clientKinds.find((kind) => kind === name)
  if (!client) return
  const { latest, lowest } = brand.versions[client]
  if (!isBelow(numbers, numbersOf(lowest))) return
  // A page as new as this platform has no newer one to be reloaded to.
  if (client === 'pc' && !isBelow(numbers, numbersOf(productVersion))) return
  const version = numbers.join('.')
  throw new Failure('CLIENT_TOO_OLD', {
    data: { version, latest, lowest, downloads: brand.downloads },
    text: client === 'pc' ? reloadText(version) : updateText(version, lowest, brand.downloads),
  })
}

const numbersOf = (version: string): string[] => version.split('-')[0]?.split('.') ?? []

/** Compares number by number. */
function isBelow(version: readonly string[], other: readonly string[]): boolean {
  const place = version.findIndex((number, index) => Number(number) !== Number(other[index]))
  return place >= 0 && Number(version[place]) < Number(other[place])
}

const reloadText = (version: string): Text => ({
  cn: `页面版本 ${version} 过旧，已停止支持，请刷新页面`,
  en: `Version ${version} of this page is no longer supported. Reload the page.`,
})

function updateText(version: string, lowest: string, downloads: Brand['downloads']): Text {
  const list = downloads.map(({ name, url }) => `${name} ${url}`)
  return {
    cn: `应用版本 ${version} 过旧，已停止支持，请更新到 ${lowest} 或更高版本${list.length ? `：${list.join('；')}` : ''}`,
    en: `Version ${version} of this app is no longer supported. Update it to ${lowest} or later${list.length ? `: ${list.join('; ')}` : '.'}`,
  }
}

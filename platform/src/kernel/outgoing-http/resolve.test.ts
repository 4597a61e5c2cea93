import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { AddressPolicy, type Wish } from './address-policy.ts'
import { parseAllowedNetworks } from './allowed-networks.ts'
import { createResolve } from './resolve.ts'

const typeA = 1

/** A name server that knows one IPv4 address, of every name but those that begin with `silent`. */
async function startNameServer(address: readonly number[]) {
  const asked: string[] = []
  const server = createSocket('udp4', (query, from) => {
    const name = query.subarray(12, query.indexOf(0, 12)).toString('latin1')
    asked.push(name)
    if (name.includes('silent')) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const isKnown = question.readUInt16BE(question.length - 4) === typeA
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    const record = isKnown ? [0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address] : []
    server.send(Buffer.concat([head, question, Buffer.from(record)]), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const resolver = new Resolver({ timeout: 15_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  onTestFinished(() => {
    resolver.cancel()
    server.close()
  })
  return { asked, resolver }
}

const wishOf = (host: string, more: Partial<Wish> = {}): Wish => ({
  ...{ space: { userId: 1 }, host, port: 443, isTls: true },
  ...more,
})

test('a name is asked of name servers, and one that the operator allows of the system', async () => {
  const { asked, resolver } = await startNameServer([93, 184, 215, 14])
  const policy = new AddressPolicy(parseAllowedNetworks('person=1 localhost:443'))
  const resolve = createResolve((wish) => policy.isAllowedName(wish), resolver)
  expect(await resolve('mes.example.com', wishOf('mes.example.com'))).toEqual(['93.184.215.14'])
  const before = asked.length
  expect(await resolve('localhost', wishOf('localhost'))).toContain('127.0.0.1')
  expect(asked.length).toBe(before)
})

test('a name without a dot is unknown, so that nobody learns the names of this network', async () => {
  const { asked, resolver } = await startNameServer([93, 184, 215, 14])
  const policy = new AddressPolicy(parseAllowedNetworks('person=1 localhost:443'))
  const resolve = createResolve((wish) => policy.isAllowedName(wish), resolver)
  const unknown = expect.objectContaining({ code: 'ENOTFOUND' })
  await expect(resolve('plc-gateway', wishOf('plc-gateway'))).rejects.toEqual(unknown)
  // Allowed to another space, and at another port.
  await expect(resolve('localhost', wishOf('localhost', { space: { userId: 2 } }))).rejects.toEqual(unknown)
  await expect(resolve('localhost', wishOf('localhost', { port: 80 }))).rejects.toEqual(unknown)
  expect(asked).toEqual([])
})

test('names that nobody answers keep no other name waiting', async () => {
  const { asked, resolver } = await startNameServer([93, 184, 215, 14])
  const resolve = createResolve(({ host }) => host === 'localhost', resolver)
  let answered = 0
  const silent = Array.from({ length: 50 }, (_, n) =>
    resolve(`silent${n}.example.com`, wishOf(`silent${n}.example.com`)).then(
      () => answered++,
      () => undefined,
    ),
  )
  expect(await resolve('mes.example.com', wishOf('mes.example.com'))).toEqual(['93.184.215.14'])
  expect(await resolve('localhost', wishOf('localhost'))).toContain('127.0.0.1')
  expect({ answered, isAsked: asked.some((name) => name.includes('silent')) }).toEqual({
    answered: 0,
    isAsked: true,
  })
  resolver.cancel()
  await Promise.all(silent)
})

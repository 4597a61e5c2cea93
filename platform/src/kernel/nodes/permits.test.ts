import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { silentLogger } from '../logger.ts'
import { roles } from '../roles.ts'
import type { Peer } from './nodes-store.ts'
import { createNodeKeys, type NodeKeys, Permits } from './permits.ts'

const key = randomBytes(32)
const act = '["write",1,"","setpoint",20]'

function openPlatform() {
  const rows = new Map<string, Peer>()
  let time = 1_700_000_000_000
  const directory = {
    peek: (id: string) => rows.get(id),
    async find(id: string, incarnation = rows.get(id)?.incarnation) {
      const row = rows.get(id)
      return row?.incarnation === incarnation ? row : undefined
    },
  }
  const open = (
    id: string,
    { own = key, keys = createNodeKeys() }: { own?: Uint8Array; keys?: NodeKeys } = {},
  ) => {
    const self = { id, incarnation: randomUUID(), keys }
    rows.set(id, { id, incarnation: self.incarnation, roles, publicKey: keys.publicKey })
    return new Permits({ self, directory, key: own, logger: silentLogger, now: () => time })
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { open, rows, pass }
}

it('a permit counts once, for its act, at its node, within five seconds', async () => {
  const { open, pass } = openPlatform()
  const [api, edge, other] = [open('api'), open('edge'), open('other')]
  const permit = await api.issue('edge', act)
  expect(await other.take(permit, act, 'api')).toBe('forged')
  expect(await edge.take(permit, act.replace('20', '666'), 'api')).toBe('forged')
  expect(await edge.take(permit, act, 'api')).toBeUndefined()
  expect(await edge.take(permit, act, 'api')).toBe('used')
  const late = await api.issue('edge', act)
  pass(5_001)
  expect(await edge.take(late, act, 'api')).toBe('old')
  const ahead = await api.issue('edge', act)
  pass(-4_000)
  expect(await edge.take(ahead, act, 'api')).toBeUndefined()
  expect(edge.refused).toMatchObject({ forged: 1, used: 1, old: 1 })
})

it('no third node writes a permit of another one, nor one that is not of this platform', async () => {
  const { open, rows } = openPlatform()
  const [api, edge] = [open('api'), open('edge')]
  const real = (await api.issue('edge', act)) ?? ''
  const row = rows.get('api')
  const thief = open('thief')
  // It knows everything but the key of the other one.
  const [, ...rest] = ((await thief.issue('edge', act)) ?? '').split(' ')
  expect(await edge.take(['api', row?.incarnation, ...rest.slice(1)].join(' '), act, 'api')).toBe('forged')
  expect(await edge.take(['api', ...rest].join(' '), act, 'api')).toBe('unknown')
  const stranger = open('stranger', { own: randomBytes(32) })
  expect(await edge.take(await stranger.issue('edge', act), act, 'api')).toBe('forged')
  for (const nonsense of [
    undefined,
    '',
    7,
    real.slice(1),
    `${real}x`,
    real.replace(/ \d+ /, ' 9 '),
    'a b c d e',
  ])
    expect(await edge.take(nonsense, act, 'api')).toMatch(/form|unknown|forged/)
  expect(await edge.take(real, act, 'api')).toBeUndefined()
})

it('a node permits only what its row says it does, and nothing once the row is gone or another process’s', async () => {
  const { open, rows } = openPlatform()
  const [api, edge] = [open('api'), open('edge')]
  const row = rows.get('api')
  if (!row) throw new Error('there is a row')
  const permits = [await api.issue('edge', act), await api.issue('edge', act), await api.issue('edge', act)]
  rows.set('api', { ...row, roles: ['edge', 'visits'] })
  expect(await edge.take(permits[0], act, 'api')).toBe('role')
  rows.delete('api')
  expect(await edge.take(permits[1], act, 'api')).toBe('unknown')
  expect(await edge.issue('api', act)).toBeUndefined()
  open('api')
  expect(await edge.take(permits[2], act, 'api')).toBe('unknown')
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { TestNats } from '@busbar/testkit/nats-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../config.ts'
import type { Logger } from '../logger.ts'
import { createSecretBox } from '../secret-box.ts'
import { openCluster } from './open-cluster.ts'

/* deploy/nats.conf as it is, in another folder. */

const deadline = { timeout: 10_000 }

async function openSite() {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-nats-'))
  const authority = await createTestAuthority()
  onTestFinished(async () => {
    await authority.remove()
    await rm(folder, { recursive: true })
  })
  const { ca, cert, key } = await authority.sign('nats')
  const sample = await readFile(resolve(import.meta.dirname, '../../../../deploy/nats.conf'), 'utf8')
  await Promise.all([
    writeFile(join(folder, 'nats.conf'), sample.replaceAll('/etc/nats/', `${folder}/`)),
    writeFile(join(folder, 'nats-users.conf'), 'NODE1_PASSWORD: "one"\nNODE2_PASSWORD: "two"\n'),
    writeFile(join(folder, 'nats.pem'), cert),
    writeFile(join(folder, 'nats.key'), key),
    writeFile(join(folder, 'ca.pem'), ca),
    writeFile(join(folder, 'password-node1'), 'one\n'),
    writeFile(join(folder, 'password-node2'), 'two\n'),
  ])
  const lines: string[] = []
  const log = (fields: object, message: string) =>
    lines.push(`${message} ${(fields as { err?: unknown }).err}`)
  const logger: Logger = { debug() {}, info() {}, warn: log, error: log }
  const open = async (port: number, name: string, user = name) => {
    const cluster = await openCluster(
      readConfig({
        NATS_URL: `tls://127.0.0.1:${port}`,
        NATS_USER: user,
        NATS_PASSWORD_FILE: join(folder, `password-${user}`),
        NATS_CA_FILE: join(folder, 'ca.pem'),
      }),
      { name, logger, secrets: createSecretBox(Buffer.alloc(32)) },
    )
    if (!cluster) throw new Error('there is a NATS_URL')
    onTestFinished(() => cluster.stop())
    cluster.start()
    return cluster
  }
  return { folder, open, lines }
}

it('nodes talk as the users of deploy/nats.conf, and no user hears the answers to another', async () => {
  const { folder, open, lines } = await openSite()
  const nats = await TestNats.start(join(folder, 'nats.conf'))
  onTestFinished(() => nats.stop())
  const [one, two] = [await open(nats.port, 'node1'), await open(nats.port, 'node2')]
  one.answer('machine.1', async (question) => question)
  const asked = () => two.ask('machine.1', 'values', 2_000).catch(() => undefined)
  await expect.poll(asked, deadline).toBe('values')
  expect(lines).toEqual([])
  const other = await open(nats.port, 'node1', 'node2')
  await expect.poll(() => other.isUp, deadline).toBe(true)
  other.ask('machine.1', 'values', 2_000).catch(() => undefined)
  await expect.poll(() => lines.join('\n'), deadline).toMatch(/permissions violation.*busbar\.inbox\.node1/i)
})

it('no node talks to a server without TLS where its address asks for TLS', async () => {
  const { open, lines } = await openSite()
  const nats = await TestNats.start()
  onTestFinished(() => nats.stop())
  const cluster = await open(nats.port, 'node1')
  await expect.poll(() => lines.join('\n'), deadline).toMatch(/does not support 'tls'/)
  expect(cluster.isUp).toBe(false)
})

import { TestNats } from '@busbar/testkit/nats-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../logger.ts'
import { NoAnswer } from './cluster.ts'
import { NatsCluster } from './nats-cluster.ts'

const deadline = { timeout: 10_000 }

async function openClusters(holderNow: () => number = Date.now) {
  const nats = await TestNats.start()
  onTestFinished(() => nats.stop())
  const open = async (name: string) => {
    const options = {
      servers: [nats.url],
      prefix: 'busbar',
      key: Buffer.alloc(32),
      name,
      logger: silentLogger,
      ...(name === 'holder' ? { now: holderNow } : {}),
    }
    const cluster = new NatsCluster(options)
    onTestFinished(() => cluster.stop())
    cluster.start()
    await expect.poll(() => cluster.isUp, deadline).toBe(true)
    return cluster
  }
  return { asker: await open('asker'), holder: await open('holder') }
}

it('a question on its way to a process that stops answering is answered, or answered by nobody, without a wait', async () => {
  const { asker, holder } = await openClusters()
  const isQuick = async (round: number) => {
    const end = holder.answer('machine.1', async (question) => question)
    await expect
      .poll(() => asker.ask('machine.1', 'first', 5_000).catch(() => undefined), deadline)
      .toBe('first')
    const asked = asker.ask('machine.1', round, 5_000).catch((error: unknown) => error)
    // The server may have the question before it has the end of the answers.
    await new Promise((resolve) => setImmediate(resolve))
    end()
    const answer = await asked
    return answer === round || (answer instanceof NoAnswer && answer.why === 'nobody')
  }
  for (let round = 0; round < 50; round++) expect(await isQuick(round)).toBe(true)
})

it('a process that stood still for 30 s drops the messages that waited for it, says that messages were missed, and goes on', async () => {
  let stoodMs = 0
  const { asker, holder } = await openClusters(() => Date.now() + stoodMs)
  const heard: unknown[] = []
  let missed = 0
  holder.subscribe('values', (value) => heard.push(value))
  holder.onUp(() => missed++)
  holder.answer('machine.1', async (question) => question)
  const ask = (question: number) => asker.ask('machine.1', question, 2_000).catch(() => undefined)
  await expect.poll(() => ask(1), deadline).toBe(1)
  // Messages that it reads now were sent before the stall.
  stoodMs = 30_000
  for (let value = 0; value < 20; value++) asker.publish('values', value)
  await expect.poll(() => holder.traffic.refused.old, deadline).toBe(20)
  stoodMs = 0
  asker.publish('values', 'after')
  await expect.poll(() => heard, deadline).toEqual(['after'])
  expect(await ask(2)).toBe(2)
  expect(missed).toBe(1)
})

import { TestNats } from '@busbar/testkit/nats-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../logger.ts'
import { NoAnswer } from './cluster.ts'
import { NatsCluster } from './nats-cluster.ts'

const deadline = { timeout: 10_000 }

async function openClusters() {
  const nats = await TestNats.start()
  onTestFinished(() => nats.stop())
  const open = async (name: string) => {
    const cluster = new NatsCluster({ servers: [nats.url], prefix: 'busbar', name, logger: silentLogger })
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

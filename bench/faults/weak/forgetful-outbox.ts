import { type Batch, Outbox as RealOutbox } from '@busbar/agent/outbox/outbox.ts'

/** The agent's outbox, but for what was sent: that is taken for acknowledged. */
export const Outbox = {
  async open(...given: Parameters<typeof RealOutbox.open>): Promise<RealOutbox> {
    const outbox = await RealOutbox.open(...given)
    const forget = (batch: Batch | null) => {
      if (batch) outbox.acknowledge(batch)
      return batch
    }
    return new Proxy(outbox, {
      get(target, key) {
        if (key === 'takeLive') return () => forget(target.takeLive())
        if (key === 'takeBacklog') {
          return async (...args: Parameters<RealOutbox['takeBacklog']>) =>
            forget(await target.takeBacklog(...args))
        }
        const value = Reflect.get(target, key, target) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  },
}

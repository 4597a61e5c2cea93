import type { Memory } from '../src/memory.ts'
import { quantile, type Row } from '../src/report.ts'
import type { Worker } from '../src/rpc.ts'
import { megabyte, row, showKilobytes, showRange, times } from './figures.ts'
import type { DownloadOrder } from './load.ts'
import type { PageAddress } from './names.ts'
import type { TunnelSite } from './site.ts'

const stuck = {
  rounds: 4,
  bytes: 100 * megabyte,
  unreadBytes: 1_000 * megabyte,
  streamsMany: 30,
  /** Every buffer is full if nothing moved during this many checks. */
  looks: 4,
  looksMax: 60,
  lookEveryMs: 250,
}
/** A tunnel's stream may have so much under way (rules/wire.md: tunnel). */
const windowBytesMax = 1024 * 1024
const besideStuckLeast = 0.9

interface Inside {
  readonly memory: Memory
  readonly buffered: number
}

/** The effect of an unread download on another one, and on the memory of platform and agent. */
export async function measureStuck(site: TunnelSite, address: PageAddress): Promise<Row[]> {
  const inside = async (worker: Worker): Promise<Inside> => ({
    memory: await worker.call<Memory>('memory'),
    buffered: await worker.call<number>('buffered'),
  })
  const rates = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < stuck.rounds; round++) {
    rates.alone.push(await site.download({ address, bytes: stuck.bytes, streams: 1 }))
    await openStuck(site, address, 1)
    rates.beside.push(await site.download({ address, bytes: stuck.bytes, streams: 1 }))
    await site.load.call('closeStuck')
  }
  const share = quantile(rates.beside, 0.5) / quantile(rates.alone, 0.5)
  const rows: Row[] = [
    row('a download alone', showRange(rates.alone)),
    {
      what: 'the same beside a download nobody reads',
      figure: `${showRange(rates.beside)}: ${times(share)}`,
      target: `≥ ${besideStuckLeast}×`,
      met: share >= besideStuckLeast,
    },
  ]
  for (const streams of [1, stuck.streamsMany]) {
    const before = { platform: await inside(site.platform), agent: await inside(site.agents) }
    await openStuck(site, address, streams)
    for (const [name, worker] of [
      ['platform', site.platform],
      ['agent', site.agents],
    ] as const) {
      const now = await inside(worker)
      const bytesEach = now.buffered / streams
      const grown = (what: keyof Memory) =>
        `${what} ${showKilobytes(now.memory[what] - before[name].memory[what])}`
      rows.push({
        what: `${streams} ${streams === 1 ? 'download' : 'downloads'} nobody reads: what waits in the ${name}`,
        figure: `${showKilobytes(bytesEach)} a stream; ${grown('rss')}, ${grown('heapUsed')}, ${grown('external')} in all`,
        target: `≤ ${showKilobytes(windowBytesMax)} a stream`,
        met: bytesEach <= windowBytesMax,
      })
    }
    await site.load.call('closeStuck')
  }
  return rows
}

/** Begins unread downloads, and waits until all buffers are full. */
async function openStuck(site: TunnelSite, address: PageAddress, streams: number): Promise<void> {
  const order: DownloadOrder = { address, bytes: stuck.unreadBytes, streams }
  await site.load.call('openStuck', order)
  let before = -1
  for (let look = 0, same = 0; same < stuck.looks && look < stuck.looksMax; look++) {
    await new Promise((resolve) => setTimeout(resolve, stuck.lookEveryMs))
    const buffered =
      (await site.platform.call<number>('buffered')) + (await site.agents.call<number>('buffered'))
    same = buffered === before ? same + 1 : 0
    before = buffered
  }
}

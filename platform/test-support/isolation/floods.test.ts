import { createMachine, dialTestTunnel } from '@busbar/testkit'
import { keepAnswer } from './testing/lax-rules.ts'
import {
  encodeFields,
  type Field,
  flag,
  frameType,
  openRawStation,
  type RawAgent,
  type RawStation,
} from './testing/raw-agent.ts'
import { speak, statusesOf } from './testing/raw-client.ts'
import { othersWork, type Rig, type RigOptions, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

interface AgentRig extends Rig {
  readonly raw: RawStation
}

const close = 'Connection: close'
const mebibyte = 1024 * 1024
const ok: Field = [':status', '200']
const flood = 20_000

/** An agent's flood of the platform: it loses its own tunnel at most. */
const flooded = (name: string, send: (agent: RawAgent, streamId: number) => void): Vector<AgentRig> => ({
  name: `the agent sends ${name}`,
  async attack(rig) {
    const agent = await rig.raw.connect()
    agent.answer = (streamId) => send(agent, streamId)
    const before = process.memoryUsage().rss
    const asked = speak(
      rig.site,
      `GET /x HTTP/1.1\r\nHost: ${rig.raw.client.host}\r\nCookie: ${rig.raw.client.cookie}\r\n${close}\r\n\r\n`,
      (text) => statusesOf(text).length > 0,
    )
    const others = await othersWork(rig)
    const { text } = await asked
    const grownBytes = process.memoryUsage().rss - before
    const again = await rig.raw.connect()
    const after = await rig.raw.client.request('/after')
    again.close()
    return {
      client: { saw: /injected/.test(text), wanted: false },
      beyond: {
        saw: [others.saw, after.text, grownBytes < 100 * mebibyte],
        wanted: [others.wanted, 'the page', true],
      },
    }
  },
})

const agents: Vector<AgentRig>[] = [
  flooded('a header of 200 kB in many frames', (agent, streamId) => {
    agent.headers(streamId, [ok, ['x-injected', 'a'.repeat(15_000)]], 0)
    const more = encodeFields([['x-injected', 'a'.repeat(15_000)]])
    for (let count = 0; count < 12; count++) agent.frame(frameType.continuation, 0, streamId, more)
    agent.frame(frameType.continuation, flag.endHeaders, streamId, more)
  }),
  flooded('a head that never ends', (agent, streamId) => {
    agent.headers(streamId, [ok], 0)
    for (let count = 0; count < 2_000; count++)
      agent.frame(frameType.continuation, 0, streamId, encodeFields([['x-injected', 'a']]))
  }),
  flooded('1,000 headers', (agent, streamId) => {
    const many = Array.from({ length: 1_000 }, (_, at): Field => [`x-injected-${at}`, '1'])
    agent.headers(streamId, [ok, ...many])
    agent.data(streamId, 'hello')
  }),
  flooded('a head that unpacks to 30 MB', (agent, streamId) => {
    // One field put into the table, then named by its index again and again (RFC 7541, 6.1 and 6.2.1).
    const [, ...rest] = encodeFields([['x-injected', 'a'.repeat(3_900)]])
    const table = Buffer.from([0x40, ...rest])
    const bomb = Buffer.concat([Buffer.of(0x88), table, Buffer.alloc(8_000, 0xbe)])
    agent.frame(frameType.headers, flag.endHeaders, streamId, bomb)
    agent.data(streamId, 'hello')
  }),
  flooded('20,000 pings', (agent, streamId) => {
    for (let count = 0; count < 20; count++)
      for (let sent = 0; sent < flood / 20; sent++) agent.frame(frameType.ping, 0, 0, Buffer.alloc(8))
    agent.answerPage(streamId)
  }),
  flooded('20,000 settings', (agent, streamId) => {
    for (let sent = 0; sent < flood; sent++) agent.frame(frameType.settings, 0, 0)
    agent.answerPage(streamId)
  }),
  flooded('20,000 empty parts of a body', (agent, streamId) => {
    agent.headers(streamId, [ok])
    for (let sent = 0; sent < flood; sent++) agent.data(streamId, '', 0)
    agent.data(streamId, 'hello')
  }),
  flooded('20,000 resets of streams that are not there', (agent, streamId) => {
    for (let sent = 0; sent < flood; sent++)
      agent.frame(frameType.reset, 0, streamId, Buffer.from([0, 0, 0, 8]))
  }),
  flooded('early answers without end (103)', (agent, streamId) => {
    for (let sent = 0; sent < flood / 10; sent++)
      agent.headers(streamId, [
        [':status', '103'],
        ['link', '</injected>'],
      ])
    agent.answerPage(streamId)
  }),
  flooded('more of a body than its window', (agent, streamId) => {
    agent.headers(streamId, [ok])
    for (let sent = 0; sent < 8 * mebibyte; sent += 16_000) agent.data(streamId, Buffer.alloc(16_000), 0)
  }),
  flooded('a message of 2 MB', (agent) => agent.send(Buffer.alloc(2 * mebibyte))),
  flooded('frames of a kind nobody knows', (agent, streamId) => {
    for (let sent = 0; sent < flood / 4; sent++) agent.frame(0xee, 0xff, streamId, Buffer.alloc(100))
    agent.answerPage(streamId)
  }),
  {
    name: 'the agent sets 120 cookies',
    async attack({ evil }) {
      const cookies = Array.from({ length: 120 }, (_, at) => `c${at}=1`)
      evil.answer = (stream) => {
        stream.respond({ ':status': 200, 'set-cookie': cookies })
        stream.end('the page')
      }
      const { headers, text } = await evil.client.request('/x')
      return {
        client: { saw: (headers['set-cookie']?.length ?? 0) <= 64, wanted: true },
        beyond: { saw: text, wanted: 'the page' },
      }
    },
  },
  {
    name: 'the agent never speaks HTTP/2',
    async attack(rig) {
      const machine = await createMachine(rig.site.db, { owner: rig.victim.userId })
      const ws = dialTestTunnel(rig.site, machine)
      await new Promise((resolve) => ws.once('open', resolve))
      ws.send(Buffer.alloc(100_000))
      const code = await new Promise((resolve) => ws.once('close', resolve))
      return {
        client: { saw: typeof code, wanted: 'number' },
        beyond: {
          saw: [rig.site.platform.tunnels.find(machine.machineId), (await othersWork(rig)).saw],
          wanted: [undefined, '200 the page'],
        },
      }
    },
  },
]

async function startAgentRig(options: RigOptions = {}): Promise<AgentRig> {
  const rig = await startRig(options)
  return { ...rig, raw: await openRawStation(rig) }
}

describeIsolation('floods from an agent', startAgentRig, agents, [
  {
    name: 'the removal of headers from answers',
    start: () => startAgentRig({ rules: { responseHeaders: keepAnswer } }),
    falls: ['the agent sets 120 cookies'],
  },
])

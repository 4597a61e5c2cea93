import {
  encodeFields,
  type Field,
  flag,
  frameType,
  openRawStation,
  type RawAgent,
  type RawStation,
} from './testing/raw-agent.ts'
import { speak } from './testing/raw-client.ts'
import { type Rig, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

interface AgentRig extends Rig {
  readonly raw: RawStation
}

const close = 'Connection: close'
const ok: Field = [':status', '200']

/** An agent's handwritten answer: the browser gets one answer to one request, and the other machine goes on. */
const answered = (name: string, answer: (agent: RawAgent, streamId: number) => void): Vector<AgentRig> => ({
  name: `the agent answers with ${name}`,
  async attack({ site, raw, good }) {
    const agent = await raw.connect()
    agent.answer = (streamId) => {
      agent.answer = (next) => agent.answerPage(next, 'second')
      answer(agent, streamId)
    }
    const base = `Host: ${raw.client.host}\r\nCookie: ${raw.client.cookie}\r\n`
    const { statuses, text, isClosed } = await speak(
      site,
      `GET /first HTTP/1.1\r\n${base}\r\nGET /second HTTP/1.1\r\n${base}${close}\r\n\r\n`,
    )
    const again = await raw.connect()
    again.answer = (streamId) => again.answerPage(streamId, 'well again')
    const after = await raw.client.request('/after')
    return {
      client: {
        saw: { tooMany: statuses.length > 2, isClosed, injected: /injected/.test(text) },
        wanted: { tooMany: false, isClosed: true, injected: false },
      },
      beyond: {
        saw: { after: after.text, reached: await good.listArrivals() },
        wanted: { after: 'well again', reached: [] },
      },
    }
  },
})

/** Headers that are not in order, with a body. */
const odd = (name: string, fields: readonly Field[]): Vector<AgentRig> =>
  answered(name, (agent, streamId) => {
    agent.headers(streamId, fields)
    agent.data(streamId, 'hello')
  })

const split = 'HTTP/1.1 200 OK\r\ninjected: 1\r\ncontent-length: 0\r\n\r\n'

const answers: Vector<AgentRig>[] = [
  odd('a header that has a further one in it', [ok, ['x-a', 'b\r\ninjected: 1']]),
  odd('a bare LF in a header', [ok, ['x-a', 'b\ninjected: 1']]),
  odd('a bare CR in a header', [ok, ['x-a', 'b\rinjected: 1']]),
  odd('a NUL in a header', [ok, ['x-a', 'b\0injected']]),
  odd('a header’s name that is two headers', [ok, ['x-a: b\r\ninjected', '1']]),
  odd('a colon in a name', [ok, ['x-a:injected', '1']]),
  odd('a name in capitals', [ok, ['X-Injected', '1']]),
  odd('Connection', [ok, ['connection', 'injected']]),
  odd('Transfer-Encoding', [ok, ['transfer-encoding', 'chunked'], ['x-a', 'injected']]),
  odd('Upgrade', [ok, ['upgrade', 'injected']]),
  odd('a pseudo header of requests', [ok, [':path', '/injected']]),
  odd('a pseudo header nobody knows', [ok, [':injected', '1']]),
  odd('its status behind other headers', [['x-a', 'injected'], ok]),
  odd('two statuses', [ok, [':status', '302'], ['location', '/injected']]),
  odd('no status', [['x-injected', '1']]),
  odd('a status that goes on', [[':status', '200 OK\r\ninjected: 1']]),
  odd('101 Switching Protocols', [
    [':status', '101'],
    ['x-a', 'injected'],
  ]),
  odd('status 999', [
    [':status', '999'],
    ['x-a', 'injected'],
  ]),
  odd('two lengths', [ok, ['content-length', '5'], ['content-length', '50'], ['x-a', 'injected']]),
  odd('a list of lengths', [ok, ['content-length', '5, 5'], ['x-a', 'injected']]),
  odd('a hexadecimal length', [ok, ['content-length', '0x5'], ['x-a', 'injected']]),
  answered('103 Early Hints before the answer', (agent, streamId) => {
    agent.headers(streamId, [
      [':status', '103'],
      ['link', '</injected>; rel=preload'],
    ])
    agent.answerPage(streamId)
  }),
  answered('an answer longer than its length', (agent, streamId) => {
    agent.headers(streamId, [ok, ['content-length', '5']])
    agent.data(streamId, `hello${split}`)
  }),
  answered('a further answer behind its length', (agent, streamId) => {
    agent.headers(streamId, [ok, ['content-length', '5']])
    agent.data(streamId, 'hello', 0)
    agent.data(streamId, split)
  }),
  answered('a body where there is none (204)', (agent, streamId) => {
    agent.headers(streamId, [[':status', '204']])
    agent.data(streamId, split)
  }),
  answered('a body where there is none (304)', (agent, streamId) => {
    agent.headers(streamId, [[':status', '304']])
    agent.data(streamId, split)
  }),
  answered('trailers', (agent, streamId) => {
    agent.headers(streamId, [ok])
    agent.data(streamId, 'hello', 0)
    agent.headers(streamId, [['set-cookie', 'visit=injected']], flag.endHeaders | flag.endStream)
  }),
  answered('a second head', (agent, streamId) => {
    agent.headers(streamId, [ok])
    agent.headers(streamId, [
      [':status', '302'],
      ['location', '/injected'],
    ])
    agent.data(streamId, 'hello')
  }),
  answered('a body before the head', (agent, streamId) => agent.data(streamId, split)),
  answered('a pushed page', (agent, streamId) => {
    const pushed = encodeFields([
      [':method', 'GET'],
      [':path', '/injected'],
      [':scheme', 'http'],
      [':authority', 'page'],
    ])
    agent.frame(
      frameType.pushPromise,
      flag.endHeaders,
      streamId,
      Buffer.concat([Buffer.of(0, 0, 0, 2), pushed]),
    )
    agent.answerPage(streamId)
  }),
  answered('a request of its own', (agent, streamId) => {
    const own: Field[] = [
      [':method', 'GET'],
      [':path', '/injected'],
      [':scheme', 'http'],
      [':authority', 'localhost'],
    ]
    agent.headers(2, own, flag.endHeaders | flag.endStream)
    agent.answerPage(streamId)
  }),
  answered('an answer to a question nobody asked', (agent, streamId) => {
    agent.headers(streamId + 100, [ok, ['x-a', 'injected']])
    agent.answerPage(streamId)
  }),
  answered('one more answer to an earlier question', (agent, streamId) => {
    agent.headers(1, [ok, ['x-a', 'injected']])
    agent.data(1, 'injected')
    agent.answerPage(streamId)
  }),
  answered('half a head and another frame', (agent, streamId) => {
    agent.headers(streamId, [ok], 0)
    agent.data(streamId, 'injected')
  }),
  answered('a name that cannot be decompressed', (agent, streamId) =>
    agent.frame(frameType.headers, flag.endHeaders, streamId, Buffer.of(0, 0x83, 255, 255, 255, 1, 49)),
  ),
  answered('HTTP/1.1', (agent) => agent.send(Buffer.from(split))),
]

async function startAgentRig(): Promise<AgentRig> {
  const rig = await startRig()
  return { ...rig, raw: await openRawStation(rig) }
}

// Node's HTTP/2 stops these, and it has no lenient option: a platform without the defence cannot be tried.
describeIsolation('split answers', startAgentRig, answers, [])

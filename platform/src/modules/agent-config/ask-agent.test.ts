import type { ClientHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import type { TunnelLine } from '../../edge-link/edge-link.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { registersAnswer } from './agent-answers.ts'
import { askAgent } from './ask-agent.ts'

/** A tunnel whose agent answers this; null: nothing at all. */
function lineThat(answers: string | null): Pick<TunnelLine, 'openStream'> {
  return {
    async openStream() {
      const stream = new Duplex({
        read() {
          if (answers === null) return
          stream.emit('response', { ':status': 200 })
          this.push(answers)
          this.push(null)
        },
        write: (_chunk, _encoding, done) => done(),
      })
      stream.on('error', () => undefined)
      return stream as unknown as ClientHttp2Stream
    },
  }
}

async function ask(answers: string | null): Promise<unknown> {
  try {
    const question = { path: '/config/registers', body: {}, answerMsMax: 300, answerBytesMax: 1_000 }
    return (await askAgent(lineThat(answers) as TunnelLine, question)).read(registersAnswer)
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

test('an answer in the agreed form is read, without additional fields', async () => {
  expect(await ask('{"values":[1,65535],"html":"<b>"}')).toEqual({ values: [1, 65_535] })
})

test.each([
  ['no JSON', 'values'],
  ['another form', '{"values":["1"]}'],
  ['numbers that no register holds', '{"values":[65536]}'],
  ['more than was asked for', `{"values":[${'1,'.repeat(200)}1]}`],
  ['more bytes than are taken', `{"values":[1],"more":"${'x'.repeat(1_000)}"}`],
  ['lists in lists', `${'['.repeat(400)}${']'.repeat(400)}`],
  ['nothing', null],
])('an agent that answers %s has not answered', async (_what, answers) => {
  expect(await ask(answers)).toBe('NOT_REACHABLE')
})

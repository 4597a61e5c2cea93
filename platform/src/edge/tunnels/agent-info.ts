import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import {
  type AgentInfo,
  type AgentPort,
  agentPath,
  isTargetName,
  portKinds,
  portsPath,
  resetStream,
  tunnelTarget,
} from '@busbar/link'
import { z } from 'zod'
import { cleanText } from '../../kernel/storable-text.ts'

const bodyBytesMax = 64 * 1024
const targetsMax = 64
const portsMax = 64
const portNoteMax = 200
/** A name of the agent's file, or the address that stands there without one. */
const isPortName = (name: string): boolean =>
  name !== tunnelTarget.agent && (isTargetName(name) || /^[A-Za-z0-9.:[\]-]{1,255}:\d{1,5}$/.test(name))

const port = z.object({
  name: z.string().refine(isPortName),
  // A kind that this version does not know is opened like any other.
  kind: z.enum(portKinds).catch('other'),
  note: z.string().max(portNoteMax).transform(cleanText),
  look: z.enum(['nobody', 'users', 'visitors']),
  connections: z.int().min(1).max(1_000),
  roundTripMs: z.number().min(0).nullable(),
}) satisfies z.ZodType<AgentPort>

/** The ports of an agent, as it tells them. */
const agentPorts = z
  .array(port)
  .max(portsMax)
  .refine((ports) => new Set(ports.map(({ name }) => name)).size === ports.length)

const answer = z.object({
  version: z.string().max(64).transform(cleanText),
  targets: z
    .array(
      z.object({
        name: z.string().refine((name) => isTargetName(name) && name !== tunnelTarget.agent),
        readOnly: z.boolean(),
      }),
    )
    .max(targetsMax)
    .refine((targets) => new Set(targets.map(({ name }) => name)).size === targets.length),
  remote: z.array(z.string().max(32)).max(16).optional(),
  ports: agentPorts.optional(),
})

type Request = (headers: OutgoingHttpHeaders) => ClientHttp2Stream | undefined

/** Asks an agent for its offer. Rejects when it does not answer within `timeoutMs`, or with an invalid answer. */
export async function askAgentInfo(request: Request, timeoutMs: number): Promise<AgentInfo> {
  const { remote = [], ports = [], ...info } = answer.parse(await ask(request, agentPath.info, timeoutMs))
  // Parts that this version does not support are left out.
  return { ...info, ports, remote: remote.filter((part) => part === 'drivers') }
}

/** Asks an agent for its ports as they are now; rejects as `askAgentInfo`. */
export async function askAgentPorts(request: Request, timeoutMs: number): Promise<readonly AgentPort[]> {
  return z.object({ ports: agentPorts }).parse(await ask(request, portsPath, timeoutMs)).ports
}

async function ask(request: Request, path: string, timeoutMs: number): Promise<unknown> {
  const stream = request({ ':method': 'GET', ':path': path, ':authority': tunnelTarget.agent })
  if (!stream) throw new Error('the tunnel takes no streams')
  const timer = setTimeout(
    () => stream.destroy(new Error(`the agent did not tell what it offers within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    let status: number | undefined
    stream.once('response', (headers) => {
      status = headers[':status']
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bodyBytesMax) throw new Error(`the agent told more than ${bodyBytesMax} bytes`)
      chunks.push(chunk)
    }
    if (status !== 200) throw new Error(`the agent answered ${status} when asked what it offers`)
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } finally {
    clearTimeout(timer)
    if (!stream.destroyed) resetStream(stream, 'enough')
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const outputCharactersMax = 20_000
/** The start command allows less: a slower program would not stop at all. */
const stopTimeoutMs = 15_000

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv
  /**
   * Picks the awaited message among those that the program sends over IPC; without it, the start does not
   * wait.
   */
  readonly isReady?: (message: { readonly type: string }) => boolean
  readonly startTimeoutMs?: number
}

/** One of the product's programs, running as a child. */
export interface Program {
  readonly pid: number
  /** The message `isReady` picked. */
  readonly ready: unknown
  /** The end of its output, for an error message. */
  output(): string
  hasEnded(): boolean
  /** SIGTERM, and SIGKILL for one that does not listen. */
  stop(): Promise<void>
  /** SIGKILL: as a power cut. */
  kill(): Promise<void>
}

/**
 * Starts one of the product's programs under this Node, as the start command does: with an IPC channel, so that it
 * also ends when this process is killed.
 * @throws with the program's own output if it ends, or is silent, before it is ready
 */
export async function startProgram(args: readonly string[], options: ProgramOptions = {}): Promise<Program> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...options.env, BUSBAR_CHILD: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax)
    })
  }
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded(child)) return
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await exited
    clearTimeout(timer)
  }
  let ready: unknown
  try {
    ready = options.isReady && (await waitUntilReady(child, exited, options.isReady, options.startTimeoutMs))
  } catch (error) {
    await end('SIGKILL')
    throw new Error(`${args[0]}: ${error instanceof Error ? error.message : error}\n${output}`)
  }
  return {
    pid: child.pid ?? 0,
    ready,
    output: () => output,
    hasEnded: () => hasEnded(child),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

function waitUntilReady(
  child: ChildProcess,
  exited: Promise<unknown>,
  isReady: (message: { readonly type: string }) => boolean,
  timeoutMs = 60_000,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${timeoutMs} ms`)), timeoutMs)
    void exited.then(() => {
      clearTimeout(timer)
      reject(new Error('ended before it was ready'))
    })
    child.once('error', reject)
    child.on('message', (message: { type: string; message?: string }) => {
      if (message.type === 'failed') reject(new Error(message.message))
      if (!isReady(message)) return
      clearTimeout(timer)
      resolve(message)
    })
  })
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Runs a program to its end; returns its output. @throws with its output if it fails */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${complaints}${printed}`)
  return printed
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { ensurePlatformBuilt } from '../../../tools/build.mjs'

const platformDir = join(import.meta.dirname, '../..')

/** The program from its sources, whose modules a weakened build changes. */
export const sourceProgram = join(platformDir, 'src/main.ts')

/** The program of `npm start`. */
async function findProgram(): Promise<string> {
  await ensurePlatformBuilt()
  return join(platformDir, 'dist/main.mjs')
}

/** The platform as a separate process, started in the way of `npm start`. */
export interface MainProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly mqttPort: number
  /** Asks it to stop and waits; answers its exit code. */
  stop(): Promise<number | null>
}

/** The platform ended before it was ready; the message is its output. */
export class MainFailed extends Error {
  override name = 'MainFailed'
  readonly exitCode: number | null

  constructor(message: string, exitCode: number | null) {
    super(message)
    this.exitCode = exitCode
  }
}

interface StartOptions {
  readonly program?: string | undefined
  readonly preloads?: readonly string[]
  /** Called with each line of its log. */
  readonly onLine?: ((line: string) => void) | undefined
  /** Called with the process before it is ready. */
  readonly onSpawn?: ((child: ChildProcess) => void) | undefined
}

/**
 * Starts the platform on free loopback ports; resolves when it is ready. `program`: another one than that of `npm start`;
 * `preloads`: modules that are read before it.
 * @throws MainFailed
 */
export async function startMain(
  env: Record<string, string>,
  { program, preloads = [], onLine, onSpawn }: StartOptions = {},
): Promise<MainProcess> {
  const web = Number(env.PORT) || (await findFreePort('127.0.0.1'))
  const mqtt = Number(env.MQTT_PORT) || (await findFreePort('127.0.0.1'))
  const { PATH = '', NODE_COMPILE_CACHE, BUSBAR_TEST_RUN } = process.env
  const child = fork(program ?? (await findProgram()), {
    execArgv: preloads.flatMap((module) => ['--import', module]),
    env: {
      PATH,
      ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
      // By it the end of a run finds what it left.
      ...(BUSBAR_TEST_RUN ? { BUSBAR_TEST_RUN } : {}),
      // It ends with its test, which may have been given up before it could stop it: the run waits for its output.
      BUSBAR_CHILD: '1',
      PORT: String(web),
      MQTT_PORT: String(mqtt),
      METRICS_PORT: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'inherit', onLine ? 'pipe' : 'inherit', 'ipc'],
  })
  onSpawn?.(child)
  if (onLine && child.stderr) createInterface({ input: child.stderr }).on('line', onLine)
  await new Promise<void>((resolve, reject) => {
    let said = 'nothing said'
    child.on('message', (message: { type: string; message?: string }) => {
      if (message.type === 'ready') resolve()
      if (message.type === 'failed') said = message.message ?? said
    })
    child.once('exit', (code) => reject(new MainFailed(said, code)))
  })
  return {
    child,
    url: `http://127.0.0.1:${web}`,
    mqttPort: mqtt,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}

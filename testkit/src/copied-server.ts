import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const startMsMax = 10_000
/** The user of a copy where root runs the tests; any but root will do. */
const nobody = 65_534

/** A server's program and its libraries, in a folder of a test. */
export interface CopiedServer {
  readonly program: string
  /** The user that it finds by name: that of this process, or nobody where root runs the tests. */
  readonly owner: { readonly uid: number; readonly gid: number }
  /** With it the program finds its libraries, and knows two users: root and its owner. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Copies a server that wants a user by name, which is missing where its package is only unpacked: nss_wrapper gives that name to
 * the owner. Into a folder that everyone may read, because the checkout may be readable only by root.
 */
export async function copyServer(
  variable: string,
  to: {
    readonly dir: string
    readonly user: string
    readonly home?: string
    readonly shell?: string
    /** Programs that it starts in some of its versions: their places in the package, copied where they are. */
    readonly parts?: readonly string[]
  },
): Promise<CopiedServer> {
  const [server, wrapper] = [process.env[variable], process.env.BUSBAR_NSS_WRAPPER]
  if (!server || !wrapper)
    throw new Error(`${variable} or BUSBAR_NSS_WRAPPER is not set: the tests run by npm test`)
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = isRoot ? [nobody, nobody] : [process.getuid?.() ?? nobody, process.getgid?.() ?? nobody]
  const { dir, user, home = '/', shell = '/bin/false', parts = [] } = to
  const unpacked = resolve(server, '../../..')
  const programs = [server, ...parts.map((part) => join(unpacked, part)).filter((part) => existsSync(part))]
  const libraries = join(dir, 'lib')
  await mkdir(libraries)
  await copyFile(wrapper, join(libraries, basename(wrapper)))
  for (const program of programs) {
    for (const path of await listUnpackedLibraries(program, unpacked))
      await copyFile(path, join(libraries, basename(path)))
    const copy = join(dir, basename(program))
    await copyFile(program, copy)
    // An installed one may run as its owner, root.
    await chmod(copy, 0o755)
  }
  const [passwd, group] = [join(dir, 'passwd'), join(dir, 'group')]
  await writeFile(passwd, `root:x:0:0::/:/bin/false\n${user}:x:${uid}:${gid}::${home}:${shell}\n`)
  await writeFile(group, `root:x:0:\n${user}:x:${gid}:\n`)
  if (isRoot) await chown(dir, uid, gid)
  await chmod(dir, 0o755)
  return {
    program: join(dir, basename(server)),
    owner: { uid, gid },
    env: {
      LD_LIBRARY_PATH: libraries,
      LD_PRELOAD: join(libraries, basename(wrapper)),
      NSS_WRAPPER_PASSWD: passwd,
      NSS_WRAPPER_GROUP: group,
    },
  }
}

/** Those of a program's libraries that the system does not have. */
async function listUnpackedLibraries(program: string, unpacked: string): Promise<string[]> {
  if (unpacked === '/') return []
  const folders = ['usr/lib', 'lib'].flatMap((folder) =>
    ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((triplet) => join(unpacked, folder, triplet)),
  )
  const env = { ...process.env, LD_LIBRARY_PATH: folders.join(':') }
  const { stdout } = await promisify(execFile)('ldd', [program], { env })
  const needed = [...stdout.matchAll(/=> (\S+) \(/g)].map(([, path = '']) => path)
  return needed.filter((path) => path.startsWith(unpacked))
}

/** Waits until a server takes connections at a port of loopback. @throws when it does not within 10 s */
export async function untilListening(port: number): Promise<void> {
  for (const until = Date.now() + startMsMax; ; ) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(50)
    } finally {
      socket.destroy()
    }
  }
}

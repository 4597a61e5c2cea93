import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Failure } from '../../http/failure.ts'
import { HashThreads } from './hash-threads.ts'

const threads = new HashThreads()

/** argon2id, OWASP's 19 MiB, 2 passes, 1 lane: 30 to 50 ms of a core, beside the event loop. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const hashesWaitingMax = 64
let waiting = 0

/** Hashes a password for storage. Throws 429 when too many hashes are waiting already. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await run(password, nonce)
  return `argon2id$${cost.memory}$${cost.passes}$${cost.parallelism}$${nonce.toString('base64')}$${tag.toString('base64')}`
}

/** Compares in constant time; takes as long for no hash as for a wrong password (decision 12). */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const parts = (hash ?? '').split('$')
  const known = parts.length === 6 && parts[0] === 'argon2id'
  const nonce = known ? Buffer.from(parts[4] ?? '', 'base64') : Buffer.alloc(16)
  const tag = await run(
    password,
    nonce,
    known ? { memory: Number(parts[1]), passes: Number(parts[2]), parallelism: Number(parts[3]) } : cost,
  )
  const expected = known ? Buffer.from(parts[5] ?? '', 'base64') : Buffer.alloc(tag.length)
  return expected.length === tag.length && timingSafeEqual(expected, tag) && known
}

async function run(
  password: string,
  nonce: Buffer,
  parameters: { memory: number; passes: number; parallelism: number } = cost,
): Promise<Buffer> {
  if (waiting >= hashesWaitingMax) throw new Failure('429', { data: { retryIn: 1 } })
  waiting++
  try {
    return await threads.hash({
      message: Buffer.from(password.normalize('NFKC')),
      nonce,
      memory: parameters.memory,
      passes: parameters.passes,
      parallelism: parameters.parallelism,
      tagLength: cost.tagLength,
    })
  } finally {
    waiting--
  }
}

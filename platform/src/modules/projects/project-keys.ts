import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { CallLimits } from '../../kernel/http/call-limits.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { hashToken } from '../accounts/index.ts'
import * as store from './keys-store.ts'
import type { Db } from './links-store.ts'
import { findOwner, listMemberIds } from './members-store.ts'

const keyBytes = 32
/** A changed key works for this time longer (rules/projects.md: key). */
const overlapMs = 86_400_000
/** A hash of no key, so that a project without keys takes the same time to compare. */
const noHash = Buffer.alloc(keyBytes)

export interface KeyDeps {
  readonly db: Database
  readonly secrets: SecretBox
  readonly limits: Pick<CallLimits, 'takeByAddress'>
  readonly facts: Pick<Facts, 'record'>
  now(): number
}

/** Where a key was presented. */
export interface KeyUse {
  readonly from: string
}

/** Whether keys of projects are right, for the calls and connections that they sign in to. */
export interface ProjectKeys {
  /**
   * The project of a key that is valid now and comes to fetch rows. Throws PROJECT_KEY_WRONG, and 429 for an address that
   * tried too many wrong ones.
   */
  check(
    projectId: number,
    key: string,
    use: KeyUse,
  ): Promise<{ readonly projectId: number; readonly keyId: number }>
  /** The same of a key that comes for a visit, without its project: it is found by its hash. */
  find(key: string, use: KeyUse): Promise<{ readonly projectId: number; readonly keyId: number }>
  /** The instant at which a key ends that was right: infinite while none is set, 0 for one that is gone. */
  endOf(keyId: number): Promise<number>
  /** A connection that signed in with a key is still there. */
  noteStillUsed(keyId: number): Promise<void>
}

const yes = () => true
const no = () => false

/** A sealed key cannot be opened for another project. */
const ownerOf = (projectId: number) => `key of project ${projectId}`

export function createProjectKeys({ db, limits, facts, now }: KeyDeps): ProjectKeys {
  return {
    async check(projectId, key, { from }) {
      const at = new Date(now())
      const hash = hashToken(key)
      const keys =
        Number.isSafeInteger(projectId) && projectId > 0 ? await store.listKeys(db, projectId, at) : []
      // All are compared, whichever matches.
      const [found] = [...keys, { id: 0, hash: noHash }].filter((each) => timingSafeEqual(each.hash, hash))
      if (!found) {
        await countWrong(projectId, from, keys.length > 0)
        throw new Failure('PROJECT_KEY_WRONG')
      }
      await store.noteUse(db, found.id, { from, at, fetches: true })
      return { projectId, keyId: found.id }
    },
    async find(key, { from }) {
      const at = new Date(now())
      const found = await store.findKey(db, hashToken(key), at)
      if (!found) {
        await countWrong(0, from, false)
        throw new Failure('PROJECT_KEY_WRONG')
      }
      await store.noteUse(db, found.keyId, { from, at, fetches: false })
      return found
    },
    async endOf(keyId) {
      const found = await store.findKeyEnd(db, keyId)
      return found ? (found.endsAt?.getTime() ?? Number.POSITIVE_INFINITY) : 0
    },
    noteStillUsed: (keyId) => store.noteStillUsed(db, keyId, new Date(now())),
  }

  /** Throws 429 for an address that tried too many; the owner of a project that exists is told once a day. */
  async function countWrong(projectId: number, from: string, exists: boolean): Promise<void> {
    try {
      await limits.takeByAddress('projectKeys', from)
    } catch (refusal) {
      // Numbers of projects are easy to guess: one address must not have the owners of all told.
      const mayTell = exists && (await limits.takeByAddress('projectKeyAlarms', from).then(yes, no))
      if (mayTell) await tellOwner(projectId)
      throw refusal
    }
  }

  async function tellOwner(projectId: number): Promise<void> {
    const at = now()
    await withTransaction(db, async (trx) => {
      const owner = await findOwner(trx, projectId)
      // One who left its enterprise is not told.
      if (owner === undefined || !(await listMemberIds(trx, projectId)).includes(owner)) return
      const name = await store.noteGuesses(trx, projectId, new Date(at))
      if (name === undefined) return
      const fact = { kind: 'project.keyGuessed', projectId, by: null, told: [owner], at } as const
      await facts.record(trx, fact, { words: { name } })
    })
  }
}

/** Gives a project a new key, in the caller's transaction; former ones work a day longer, or end at once. */
export async function renewKey(
  secrets: SecretBox,
  trx: Db,
  projectId: number,
  { endNow, at }: { readonly endNow: boolean; readonly at: Date },
): Promise<string> {
  const key = randomBytes(keyBytes).toString('hex')
  if (endNow) await store.removeKeys(trx, projectId)
  else await store.endFormerKeys(trx, projectId, new Date(at.getTime() + overlapMs))
  const sealed = secrets.seal(Buffer.from(key), ownerOf(projectId))
  await store.createKey(trx, { projectId, hash: hashToken(key), sealed, at })
  return key
}

/** The newest key of a project; empty when the installation's key has changed. */
export async function revealKey(secrets: SecretBox, db: Db, projectId: number, at: Date): Promise<string> {
  const [newest] = await store.listKeys(db, projectId, at)
  return (newest && secrets.open(newest.sealed, ownerOf(projectId))?.toString()) ?? ''
}

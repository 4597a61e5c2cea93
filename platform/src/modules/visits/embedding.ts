import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The part of a project by which a visit in its portal is open. */
export interface EmbeddingIds {
  readonly projectId: number
  /** The machine's link to the project. */
  readonly linkId: number
  /** The key that the address was asked for with. */
  readonly keyId: number
}

/** Terms of an embedded visit, as they are now. */
export interface Embedding {
  /** The origins of the pages that may frame it. */
  readonly origins: readonly string[]
  /** The machine's Akey allowed the project to enter with read-write access. */
  readonly mayControl: boolean
  /** When its key ends, epoch milliseconds. */
  readonly endsAt: number | undefined
}

/** The projects, as visits see them. */
export interface EmbeddingPort {
  /**
   * Terms of a member's visit through a link; undefined where the project, its embedding, the link, the key, the origins
   * or the membership is gone. Read anew at each decision.
   */
  find(
    db: Kysely<DB>,
    of: EmbeddingIds & { readonly userId: number; readonly machineId: number },
    now: number,
  ): Promise<Embedding | undefined>
  /** Whether the project has the machine by this link, as far as this process knows. Cheap. */
  isHeld(of: Pick<EmbeddingIds, 'projectId' | 'linkId'> & { readonly machineId: number }): boolean
  /** Told after each change of machines of projects. Answers the function that ends it. */
  subscribe(listener: () => void): () => void
}

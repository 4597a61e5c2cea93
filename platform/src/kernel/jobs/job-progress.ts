import { create, JobProgressSchema, Scene, toBinary } from '@busbar/contract/push'
import type { Database } from '../database/database.ts'
import { createUserEvents } from '../events/user-events.ts'
import type { JobProgress } from './progress.ts'

/** Reports the progress of a job to its person. */
export async function publishProgress(db: Database, { userId, at, ...progress }: JobProgress): Promise<void> {
  const body = toBinary(JobProgressSchema, create(JobProgressSchema, progress))
  await createUserEvents(db, Scene.JOB_PROGRESS, new Date(at), [{ userId, body }])
}

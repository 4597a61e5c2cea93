import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../src/kernel/database/database.ts'

/** The error that a test's own stand-in throws as on a full disk. */
export const fullDisk = (): Error => Object.assign(new Error('No space left on device'), { code: '53100' })

/** A table that accepts no rows. */
export interface FullTable {
  /** Resolves when something was to be written into it. */
  met(): Promise<void>
  giveRoom(): Promise<void>
}

/** Makes writes to a table fail as on a full disk (SQLSTATE 53100). */
export async function fillDiskOf(db: Database, table: string): Promise<FullTable> {
  // A sequence counts in transactions that are undone, too.
  await sql
    .raw(`
      create sequence if not exists full_disk_met;
      alter sequence full_disk_met restart;
      create or replace function full_disk() returns trigger language plpgsql as $$
      begin
        perform nextval('full_disk_met');
        raise exception 'No space left on device' using errcode = '53100';
      end $$;
      create trigger full_disk before insert or update on ${table} for each statement execute function full_disk()`)
    .execute(db)
  const isMet = async () =>
    (await sql<{ is_called: boolean }>`select is_called from full_disk_met`.execute(db)).rows[0]?.is_called
  return {
    met: () => expect.poll(isMet, { timeout: 10_000 }).toBe(true),
    giveRoom: async () => void (await sql.raw(`drop trigger full_disk on ${table}`).execute(db)),
  }
}

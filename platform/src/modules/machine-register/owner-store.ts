import { sql, type Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { OwnerName } from '../../kernel/facts/machine-facts.ts'

/**
 * Writes the owner of a machine and the shared name that comes with it; undefined: no owner. With `since`, if it had another owner before, all settings of the
 * former one are reset (rules/machines.md: next owner).
 */
export async function updateOwner(
  trx: Transaction<DB>,
  machineId: number,
  owner: (OwnerName & { readonly sharedName?: string }) | undefined,
  since: Date | undefined,
): Promise<void> {
  const columns = {
    owner_user_id: owner && 'userId' in owner ? owner.userId : null,
    owner_enterprise_id: owner && 'enterpriseId' in owner ? owner.enterpriseId : null,
  }
  const begun = since && {
    owned_since: since,
    check_type: 0,
    cloud_service: true,
    attributes: '{}',
    project_image: null,
    last_seen_at: null,
    clock_offset_ms: null,
    clock_seen_at: null,
    // The former owner chose the shared name: a receiver read it in the offer, otherwise it is reset to the code.
    ...(owner ? {} : { name: sql<string>`code` }),
  }
  await trx
    .updateTable('machines')
    .set({ ...columns, ...begun, ...(owner?.sharedName === undefined ? {} : { name: owner.sharedName }) })
    .where('id', '=', machineId)
    .execute()
}

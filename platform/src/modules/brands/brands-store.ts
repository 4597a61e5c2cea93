import type { BrandFields } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Brand } from '../../kernel/http/brand.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Every brand, the main one first. */
export async function listBrands(db: Db): Promise<Brand[]> {
  const rows = await db
    .selectFrom('brands')
    .select([
      'id',
      'is_default',
      'name_cn',
      'name_en',
      'logo_url',
      'logo_dark_url',
      'login_image_url',
      'favicon_url',
      'accent',
      'email_sender',
      'sms_signature',
      'versions',
      'downloads',
      'icp',
      'visit_domain',
      'archived_at',
    ])
    .orderBy('id')
    .execute()
  const hosts = await db.selectFrom('brand_hosts').select(['brand_id', 'host']).orderBy('host').execute()
  return rows.map((row) => ({
    id: row.id,
    isDefault: row.is_default,
    hosts: hosts.filter((each) => each.brand_id === row.id).map((each) => each.host),
    platformName: { cn: row.name_cn, en: row.name_en },
    logoUrl: row.logo_url,
    logoDarkUrl: row.logo_dark_url,
    loginImageUrl: row.login_image_url,
    faviconUrl: row.favicon_url,
    accent: row.accent,
    emailSender: row.email_sender,
    smsSignature: row.sms_signature,
    versions: row.versions as unknown as Brand['versions'],
    downloads: row.downloads as unknown as Brand['downloads'],
    icp: row.icp,
    visitDomain: row.visit_domain,
    archivedAt: row.archived_at,
  }))
}

/** An enterprise's name and the face it gave itself; empty texts: none. */
export async function findEnterpriseFace(db: Db, eid: number) {
  return db
    .selectFrom('enterprises')
    .select(['name', 'platform_name', 'logo_url'])
    .where('id', '=', eid)
    .executeTakeFirst()
}

const toColumns = (fields: BrandFields) => ({
  name_cn: fields.platformName.cn,
  name_en: fields.platformName.en,
  logo_url: fields.logoUrl,
  logo_dark_url: fields.logoDarkUrl,
  login_image_url: fields.loginImageUrl,
  favicon_url: fields.faviconUrl,
  accent: fields.accent,
  email_sender: fields.emailSender,
  sms_signature: fields.smsSignature,
  versions: JSON.stringify(fields.versions),
  downloads: JSON.stringify(fields.downloads),
  icp: fields.icp,
  visit_domain: fields.visitDomain,
})

/** Stores a brand without hosts; answers its id. */
export async function createBrandRow(db: Db, fields: BrandFields): Promise<number> {
  const row = await db
    .insertInto('brands')
    .values(toColumns(fields))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** False if the brand does not exist. */
export async function updateBrandRow(db: Db, id: number, fields: BrandFields): Promise<boolean> {
  const result = await db.updateTable('brands').set(toColumns(fields)).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Gives a brand these hosts and no others; answers those that another brand has. */
export async function setBrandHosts(db: Db, id: number, hosts: readonly string[]): Promise<string[]> {
  await db.deleteFrom('brand_hosts').where('brand_id', '=', id).execute()
  if (hosts.length === 0) return []
  const stored = await db
    .insertInto('brand_hosts')
    .values(hosts.map((host) => ({ host, brand_id: id })))
    .onConflict((conflict) => conflict.column('host').doNothing())
    .returning('host')
    .execute()
  return hosts.filter((host) => !stored.some((row) => row.host === host))
}

/** Takes a brand out of use, or with `undefined` back into use; returns its name, or undefined for an unknown brand. */
export async function setArchived(db: Db, id: number, at: Date | undefined) {
  return db
    .updateTable('brands')
    .set({ archived_at: at ?? null })
    .where('id', '=', id)
    .returning(['name_en'])
    .executeTakeFirst()
}

/** Locks a brand's row; returns the fields that decisions need. */
export async function lockBrand(db: Db, id: number) {
  return db
    .selectFrom('brands')
    .select(['is_default', 'archived_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Unknown hosts get this brand from then on. */
export async function setDefaultBrand(db: Db, id: number): Promise<void> {
  await db.updateTable('brands').set({ is_default: false }).where('is_default', '=', true).execute()
  await db.updateTable('brands').set({ is_default: true }).where('id', '=', id).execute()
}

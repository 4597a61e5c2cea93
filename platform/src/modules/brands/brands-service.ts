import { accentFaults, type BrandFields } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { requireUploads } from '../uploads/index.ts'
import type { BrandDirectory } from './brand-directory.ts'
import * as store from './brands-store.ts'

/** The check whether a brand's hosts are allowed. */
type Directory = Pick<BrandDirectory, 'areApart'>

/**
 * Creates a brand; answers its id. Within the caller's transaction, which must record it with
 * `BrandDirectory.recordChange`.
 * @throws Failure ACCENT_UNREADABLE, PICTURE_UNKNOWN, BRAND_HOST_TAKEN, VISIT_DOMAIN_UNFIT
 */
export async function createBrand(db: store.Db, fields: BrandFields, brands: Directory): Promise<number> {
  if (!brands.areApart(fields)) throw new Failure('VISIT_DOMAIN_UNFIT')
  await check(db, fields)
  const id = await store.createBrandRow(db, fields)
  await settle(db, id, fields)
  return id
}

/**
 * Changes all of an operator's settings of a brand; otherwise as `createBrand`.
 * @throws Failure also 404 if the brand does not exist, BRAND_IS_ARCHIVED if an archived one would become the default
 */
export async function updateBrand(
  db: store.Db,
  id: number,
  fields: BrandFields,
  brands: Directory,
): Promise<void> {
  if (!brands.areApart(fields, id)) throw new Failure('VISIT_DOMAIN_UNFIT')
  await check(db, fields)
  const before = await store.lockBrand(db, id)
  if (before?.archived_at && fields.isDefault) throw new Failure('BRAND_IS_ARCHIVED')
  if (!(await store.updateBrandRow(db, id, fields))) throw new Failure('404')
  await settle(db, id, fields)
}

/**
 * Takes a brand out of use: its hosts show the default brand. It keeps its hosts and its visit domain, so that no other
 * brand takes them. Within the caller's transaction, as `createBrand`; the caller ends the sessions that began on it
 * there, as a session is worth nothing on another brand.
 * @throws Failure 404, BRAND_IS_DEFAULT
 */
export async function archiveBrand(db: store.Db, id: number, now: number): Promise<string> {
  const brand = await store.lockBrand(db, id)
  if (brand?.is_default) throw new Failure('BRAND_IS_DEFAULT')
  return nameOf(await store.setArchived(db, id, brand?.archived_at ?? new Date(now)))
}

/**
 * Takes an archived brand back into use. Otherwise as `archiveBrand`.
 * @throws Failure 404
 */
export async function unarchiveBrand(db: store.Db, id: number): Promise<string> {
  return nameOf(await store.setArchived(db, id, undefined))
}

function nameOf(brand: { readonly name_en: string } | undefined): string {
  if (!brand) throw new Failure('404')
  return brand.name_en
}

async function check(db: store.Db, fields: BrandFields): Promise<void> {
  if (fields.accent && accentFaults(fields.accent).length > 0) throw new Failure('ACCENT_UNREADABLE')
  const pictures = [fields.logoUrl, fields.logoDarkUrl, fields.loginImageUrl, fields.faviconUrl]
  await requireUploads(db, 'brand', pictures)
}

async function settle(db: store.Db, id: number, fields: BrandFields): Promise<void> {
  const taken = await store.setBrandHosts(db, id, [...new Set(fields.hosts)])
  if (taken.length > 0) throw new Failure('BRAND_HOST_TAKEN', { data: { hosts: taken } })
  // Taking the word away from the one that has it would leave unknown hosts without a brand.
  if (fields.isDefault) await store.setDefaultBrand(db, id)
}

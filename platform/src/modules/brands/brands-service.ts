import { accentFaults, type BrandFields } from '@busbar/contract'
import { Failure } from '../../http/failure.ts'
import { requireUploads } from '../uploads/index.ts'
import type { BrandDirectory } from './brand-directory.ts'
import * as store from './brands-store.ts'

/** What tells whether a brand's hosts can be. */
type Directory = Pick<BrandDirectory, 'areApart'>

/**
 * Makes a brand; answers its id. Within the caller's transaction, after whose commit `BrandDirectory.changed` has to
 * be told.
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
 * Changes all that an operator sets of a brand; otherwise as `createBrand`.
 * @throws Failure also 404 where there is no such brand
 */
export async function updateBrand(
  db: store.Db,
  id: number,
  fields: BrandFields,
  brands: Directory,
): Promise<void> {
  if (!brands.areApart(fields, id)) throw new Failure('VISIT_DOMAIN_UNFIT')
  await check(db, fields)
  if (!(await store.updateBrandRow(db, id, fields))) throw new Failure('404')
  await settle(db, id, fields)
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

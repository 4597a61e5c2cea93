/** Spaces: the people and the enterprises that things belong to, and who may do what with the things of one. */
export {
  columnsOf,
  detailOf,
  findSpaceName,
  findZone,
  idsOf,
  isOf,
  listOwned,
  lockEnterprises,
  lockSpace,
  type Space,
  type SpaceIds,
  spaceOf,
  spaceOfCall,
} from './space.ts'
export {
  findMembership,
  findRight,
  requireEdit,
  requireEditable,
  requireRight,
  requireSeen,
  type SpaceRight,
} from './space-rights.ts'
export { type By, byOf, presentRow, type SpaceRow, spaceColumns } from './space-rows.ts'
export { createSpacesModule } from './spaces-module.ts'
export { findStorage, type Storage } from './storage.ts'

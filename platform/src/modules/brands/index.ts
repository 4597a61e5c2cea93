/** The product's face by host. */

export type { Brand } from '../../kernel/http/brand.ts'
export { type BrandSite, mainBrandId } from './brand.ts'
export { BrandDirectory } from './brand-directory.ts'
export { type BrandsModule, createBrandsModule } from './brands-module.ts'
export { archiveBrand, createBrand, unarchiveBrand, updateBrand } from './brands-service.ts'
export { presentBrand } from './brands-views.ts'
export {
  brandOrigin,
  type ConsoleOriginSource,
  consoleOrigin,
  findPublicOrigin,
  linkSource,
} from './console-origin.ts'

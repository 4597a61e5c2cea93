import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { BrandDirectory } from './brand-directory.ts'
import { brandsRoutes } from './brands-routes.ts'

export interface BrandsModule extends Module {
  readonly directory: BrandDirectory
}

/** The brands; they are loaded at once, because every request needs the brand of its host. */
export async function createBrandsModule(kernel: Kernel): Promise<BrandsModule> {
  const directory = await BrandDirectory.open(kernel)
  return {
    name: 'brands',
    roles: ['api'],
    directory,
    routes: brandsRoutes(kernel.db),
  }
}

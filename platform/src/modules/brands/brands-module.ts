import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { BrandDirectory } from './brand-directory.ts'
import { brandsRoutes } from './brands-routes.ts'

export interface BrandsModule extends Module {
  readonly directory: BrandDirectory
}

/** The brands; they are read at once, because every request asks whose host it came to. */
export async function createBrandsModule(kernel: Kernel): Promise<BrandsModule> {
  const directory = await BrandDirectory.open(kernel)
  return {
    name: 'brands',
    roles: ['api'],
    directory,
    routes: brandsRoutes(kernel.db),
  }
}

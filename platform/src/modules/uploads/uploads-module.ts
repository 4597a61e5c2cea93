import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { registerUploads } from './serve-uploads.ts'
import { uploadsRoutes } from './uploads-routes.ts'

interface Deps {
  readonly accounts: { isOperator(userId: number): Promise<boolean> }
}

/** Pictures people give the platform. */
export function createUploadsModule({ db }: Kernel, { accounts }: Deps): Module {
  return {
    name: 'uploads',
    roles: ['api'],
    routes: uploadsRoutes({ db, isOperator: accounts.isOperator }),
    serve: (app, limits) => registerUploads(app, db, limits),
  }
}

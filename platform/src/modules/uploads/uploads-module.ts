import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { registerUploads } from './serve-uploads.ts'
import { uploadsRoutes } from './uploads-routes.ts'
import { removeUnused } from './uploads-store.ts'

interface Deps {
  readonly accounts: { isOperator(userId: number): Promise<boolean> }
}

const dayS = 86_400
/** A form that is open may still be saved. */
const unusedMsMax = 2 * dayS * 1_000

/** Pictures people give the platform. */
export function createUploadsModule({ db, now }: Kernel, { accounts }: Deps): Module {
  return {
    name: 'uploads',
    roles: ['api'],
    routes: uploadsRoutes({ db, isOperator: accounts.isOperator }),
    jobs: [
      {
        name: 'uploads.removeUnused',
        everyS: dayS,
        run: () => removeUnused(db, new Date(now() - unusedMsMax)),
      },
    ],
    serve: (app, limits) => registerUploads(app, db, limits),
  }
}

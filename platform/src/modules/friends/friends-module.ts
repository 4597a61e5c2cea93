import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { friendsRoutes } from './friends-routes.ts'

/** The people somebody knows. */
export function createFriendsModule({ db }: Kernel): Module {
  return { name: 'friends', roles: ['api'], routes: friendsRoutes(db) }
}

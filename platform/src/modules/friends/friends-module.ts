import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { friendsRoutes } from './friends-routes.ts'

/** A person's friends. */
export function createFriendsModule({ db }: Kernel): Module {
  return { name: 'friends', roles: ['api'], routes: friendsRoutes(db) }
}

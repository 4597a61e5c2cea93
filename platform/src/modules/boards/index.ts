/** Boards of tiles that people and enterprises put together. */
export { createBoardsModule } from './boards-module.ts'
export { insertBoard } from './boards-store.ts'

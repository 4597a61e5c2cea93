import type { BoardRow } from '../board-queries.ts'

/** The name of an exported file. */
export const fileNameOf = ({ name }: Pick<BoardRow, 'name'>) =>
  `${name.replace(/[\\/:*?"<>|]/g, '_')}.board.json`

import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { Explorer } from './explorer.tsx'

/** Variables of several devices in one chart. */
export function ExplorerPage(): ReactNode {
  return <DataCentre tab="explorer">{(space) => <Explorer space={space} />}</DataCentre>
}

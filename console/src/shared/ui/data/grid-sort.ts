/** By which column a grid is ordered, and which way. */
export interface GridSort {
  readonly columnId: string
  readonly direction: 'ascending' | 'descending'
}

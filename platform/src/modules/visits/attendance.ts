/** Which visits have their bar on a page; the part that holds the pages answers it. */
export interface Attendance {
  isAttended(userId: number, visitId: number): boolean
  /** Calls when a visit's bar came onto a screen, or left the last one. Answers the function that ends the subscription. */
  onChange(listener: (userId: number, visitId: number, isAttended: boolean) => void): () => void
}

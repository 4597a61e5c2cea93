import type { ApplicationUpdate, NewMessage } from '../../messages/index.ts'

/** Messages about a machine's applications, as `RightsChange.writeMessages` takes them. */
export interface ApplicationMessages {
  readonly messages: Omit<NewMessage, 'machineId'>[]
  readonly updates: Omit<ApplicationUpdate, 'machineId' | 'machineCode'>[]
}

/** The same as the mailbox takes it, with the machine it is about. */
export function messagesAbout(
  about: { readonly machineId: number; readonly machineCode: string },
  { messages, updates }: { [Part in keyof ApplicationMessages]: Readonly<ApplicationMessages[Part]> },
): { messages: NewMessage[]; updates: ApplicationUpdate[] } {
  const { machineId } = about
  return {
    messages: messages.map((message) => ({ ...message, machineId })),
    updates: updates.map((each) => ({ ...each, ...about })),
  }
}

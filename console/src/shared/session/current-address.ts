let read = (): string | undefined => undefined

/**
 * The router reports the current address here, so that modules it loads can read it without importing the
 * router.
 */
export function followAddress(readAddress: () => string): void {
  read = readAddress
}

/** The address as the router has it: path, parameters and fragment. Undefined before the router has started. */
export const currentAddress = (): string | undefined => read()

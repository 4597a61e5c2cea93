let read = (): string | undefined => undefined

/** The router says here where one is: what the router loads can ask for it without importing the router. */
export function followAddress(readAddress: () => string): void {
  read = readAddress
}

/** The address as the router has it: path, parameters and fragment. Undefined before there is a router. */
export const currentAddress = (): string | undefined => read()

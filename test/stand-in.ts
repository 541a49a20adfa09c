// Stands in for an object of the program with the parts that a test uses. `tsc` compares them with the real ones, so a part that is renamed or
// gets another type is found where it is faked.

/** Any parts of a `T`, and of what its functions return. Constants may have other values. */
type PartsOf<T> = T extends (...given: never[]) => infer Result
  ? (...given: never[]) => PartsOf<Result>
  : T extends Promise<infer Value>
    ? Promise<PartsOf<Value>>
    : T extends ReadonlyMap<infer Key, infer Value>
      ? ReadonlyMap<Key, PartsOf<Value>>
      : T extends readonly (infer Item)[]
        ? readonly PartsOf<Item>[]
        : T extends object
          ? { readonly [Key in keyof T]?: PartsOf<T[Key]> }
          : T extends number
            ? number
            : T extends boolean
              ? boolean
              : T;

/** @param parts all that is used of it */
export const standIn = <T>(parts: PartsOf<T>): T => parts as unknown as T;

/** Minutes since midnight of a time of day written HH:MM. */
export const minutes = (time) => {
  const [hours, rest] = time.split(":").map(Number);
  return hours * 60 + rest;
};

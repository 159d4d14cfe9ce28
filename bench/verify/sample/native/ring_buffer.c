#include <stdlib.h>
#include <string.h>

#define RING_CAPACITY 256

struct ring_buffer {
    unsigned char data[RING_CAPACITY];
    size_t head;
    size_t count;
};

static size_t ring_index(const struct ring_buffer *ring, size_t offset)
{
    return (ring->head + offset) % RING_CAPACITY;
}

struct ring_buffer *ring_create(void)
{
    struct ring_buffer *ring = malloc(sizeof *ring);
    if (ring != NULL)
        memset(ring, 0, sizeof *ring);
    return ring;
}

int ring_push(struct ring_buffer *ring, unsigned char value)
{
    if (ring->count == RING_CAPACITY)
        return -1;
    ring->data[ring_index(ring, ring->count)] = value;
    ring->count += 1;
    return 0;
}

int ring_pop(struct ring_buffer *ring, unsigned char *value)
{
    if (ring->count == 0)
        return -1;
    *value = ring->data[ring->head];
    ring->head = ring_index(ring, 1);
    ring->count -= 1;
    return 0;
}

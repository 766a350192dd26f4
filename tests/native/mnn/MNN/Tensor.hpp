// A stand-in for the few declarations of MNN that the recorder touches; own code, no inference.
#ifndef STANDIN_MNN_TENSOR_HPP
#define STANDIN_MNN_TENSOR_HPP
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

enum halide_type_code_t { halide_type_int = 0, halide_type_uint = 1, halide_type_float = 2 };
struct halide_type_t {
    uint8_t code, bits;
    uint16_t lanes;
    int bytes() const { return bits / 8; }
};
template <class T> struct standin_type { static halide_type_t of() { halide_type_t t = {halide_type_float, 32, 1}; return t; } };
template <> struct standin_type<uint8_t> { static halide_type_t of() { halide_type_t t = {halide_type_uint, 8, 1}; return t; } };
template <class T> halide_type_t halide_type_of() { return standin_type<T>::of(); }

struct halide_buffer_t {
    uint64_t device;
    uint8_t *host;
    halide_type_t type;
};

namespace MNN {
class Tensor {
public:
    enum DimensionType { TENSORFLOW, CAFFE, CAFFE_C4 };
    enum MapType { MAP_TENSOR_WRITE = 0, MAP_TENSOR_READ = 1 };
    Tensor(const Tensor *like, DimensionType type = CAFFE, bool allocate = true) { make(like->dims_, like->buffer_.type, type, allocate); }
    ~Tensor() { free(buffer_.host); }
    static Tensor *create(const std::vector<int> &shape, halide_type_t type, void *data = NULL, DimensionType dims = TENSORFLOW) {
        Tensor *t = new Tensor();
        t->make(shape, type, dims, true);
        if (data) memcpy(t->buffer_.host, data, static_cast<size_t>(t->size()));
        return t;
    }
    template <class T>
    static Tensor *create(const std::vector<int> &shape, void *data = NULL, DimensionType dims = TENSORFLOW) {
        return create(shape, halide_type_of<T>(), data, dims);
    }
    bool copyFromHostTensor(const Tensor *from) {
        if (from->buffer_.type.bits == buffer_.type.bits && buffer_.host) {
            memcpy(buffer_.host, from->buffer_.host, static_cast<size_t>(from->size() < size() ? from->size() : size()));
        }
        return true; // also when nothing was copied, as MNN does
    }
    bool copyToHostTensor(Tensor *to) const {
        if (to->buffer_.host && buffer_.host) memcpy(to->buffer_.host, buffer_.host, static_cast<size_t>(to->size()));
        return true;
    }
    const halide_buffer_t &buffer() const { return buffer_; }
    DimensionType getDimensionType() const { return type_; }
    halide_type_t getType() const { return buffer_.type; }
    template <class T> T *host() const { return reinterpret_cast<T *>(buffer_.host); }
    uint64_t deviceId() const { return buffer_.device; }
    std::vector<int> shape() const { return dims_; }
    int size() const {
        int n = buffer_.type.bytes();
        for (size_t i = 0; i < dims_.size(); i++) n *= dims_[i];
        return n;
    }
    void *map(MapType, DimensionType) { return buffer_.host; }
    void unmap(MapType, DimensionType, void *) {}
    void make(const std::vector<int> &shape, halide_type_t type, DimensionType dims, bool allocate) {
        dims_ = shape;
        type_ = dims;
        buffer_.device = 0;
        buffer_.type = type;
        buffer_.host = allocate ? static_cast<uint8_t *>(calloc(1, static_cast<size_t>(size()) + 16)) : NULL;
    }
    void put_on_device() { buffer_.device = 1; }
private:
    Tensor() : type_(CAFFE) {}
    Tensor(const Tensor &);
    Tensor &operator=(const Tensor &);
    std::vector<int> dims_;
    DimensionType type_;
    halide_buffer_t buffer_;
    friend class Interpreter;
};
} // namespace MNN
#endif

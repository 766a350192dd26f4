// A stand-in for the few declarations of MNN that the recorder touches; own code, no inference.
#ifndef STANDIN_MNN_INTERPRETER_HPP
#define STANDIN_MNN_INTERPRETER_HPP
#include <map>
#include <string>

#include <MNN/Tensor.hpp>

enum MNNForwardType { MNN_FORWARD_CPU = 0, MNN_FORWARD_OPENCL = 3, MNN_FORWARD_VULKAN = 7 };

namespace MNN {
enum ErrorCode { NO_ERROR = 0, COMPUTE_SIZE_ERROR = 3 };
struct BackendConfig {
    enum MemoryMode { Memory_Normal = 0, Memory_High, Memory_Low };
    enum PowerMode { Power_Normal = 0, Power_High, Power_Low };
    enum PrecisionMode { Precision_Normal = 0, Precision_High, Precision_Low, Precision_Low_BF16 };
    MemoryMode memory = Memory_Normal;
    PowerMode power = Power_Normal;
    PrecisionMode precision = Precision_Normal;
};
struct ScheduleConfig {
    MNNForwardType type = MNN_FORWARD_CPU;
    union {
        int numThread = 4;
        int mode;
    };
    MNNForwardType backupType = MNN_FORWARD_CPU;
    BackendConfig *backendConfig = nullptr;
};
struct Session {
    int dirty = 0;
};
inline const char *getVersion() { return "3.6.1"; }

class Interpreter {
public:
    static Interpreter *createFromFile(const char *) { return new Interpreter(); }
    static Interpreter *createFromBuffer(const void *, size_t) { return new Interpreter(); }
    static void destroy(Interpreter *net) { delete net; }
    virtual ~Interpreter() { for (auto &t : tensors_) delete t.second; delete output_; delete session_; }
    Session *createSession(const ScheduleConfig &config) {
        halide_type_t real = {halide_type_float, 32, 1};
        session_ = new Session();
        tensors_["data"] = Tensor::create({1, 3, 16, 24}, real, nullptr, Tensor::CAFFE);
        output_ = Tensor::create({1, 10}, real, nullptr, Tensor::CAFFE);
        if (config.type != MNN_FORWARD_CPU) tensors_["data"]->put_on_device();
        return session_;
    }
    bool releaseSession(Session *) { return true; }
    Tensor *getSessionInput(const Session *, const char *name) { return name ? tensors_[name] : tensors_.begin()->second; }
    Tensor *getSessionOutput(const Session *, const char *) { return output_; }
    const std::map<std::string, Tensor *> &getSessionInputAll(const Session *) const { return tensors_; }
    void resizeTensor(Tensor *t, const std::vector<int> &dims) {
        free(t->buffer_.host);
        t->make(dims, t->buffer_.type, t->type_, true);
        session_->dirty = 1;
    }
    void resizeSession(Session *session) { session->dirty = 0; }
    void resizeSession(Session *session, int) { session->dirty = 0; }
    ErrorCode runSession(Session *session) const {
        if (session->dirty) return COMPUTE_SIZE_ERROR;
        const Tensor *in = tensors_.begin()->second;
        float sum = 0;
        for (int i = 0; i < in->size() / 4; i++) sum += in->host<float>()[i];
        output_->host<float>()[0] = sum;
        return NO_ERROR;
    }
private:
    Interpreter() : output_(nullptr), session_(nullptr) {}
    std::map<std::string, Tensor *> tensors_;
    Tensor *output_;
    Session *session_;
};
} // namespace MNN
#endif
